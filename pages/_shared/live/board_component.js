// The board in the browser: marks of all tools on the left, the latest request on the right.
// Runs again on every change of data or theme, on the same nodes; texts enter as text, never as markup.

const SVG = "http://www.w3.org/2000/svg"
const MOVE_MS = 600
const SIDE_BY_SIDE = 460 // px of width from which the two parts stand side by side, as in the style
const WIDE = 700
const DUST = 600 // tools whose marks are too small to shrink
const LABEL_PX = 13 // px of height a bar needs to carry its name

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".board")
  const room = (root.room ??= furnish(root))
  room.data = data
  draw(room)
  return () => room.watch.disconnect()
}

// What is made once

function furnish(root) {
  const room = { root, tools: new Map(), bars: new Map(), groups: new Map(), selected: null }
  for (const name of ["banner", "stage", "grid", "query", "counts", "hint", "window", "detail", "tip"])
    room[name] = root.querySelector("." + name)
  for (const name of ["title", "total", "rest", "gauge", "pile"])
    room[name] = room.window.querySelector("." + name)
  const pointed = (event) => event.target.closest("[data-tool]")
  const show = (event) => showTip(room, pointed(event))
  const hide = () => showTip(room, null)
  room.stage.onclick = (event) => choose(room, pointed(event))
  room.stage.onmouseover = show
  room.stage.onmouseleave = hide
  room.stage.addEventListener("focusin", show)
  room.stage.addEventListener("focusout", hide)
  room.grid.onkeydown = (event) => walk(event, [...room.tools.values()])
  room.pile.onkeydown = (event) => walk(event, barsInOrder(room))
  let seen = ""
  room.pane = paneOf(root)
  room.watch = new ResizeObserver(() => {
    const size = `${root.clientWidth} ${room.pane?.clientHeight}`
    if (root.clientWidth === 0 || size === seen) return
    seen = size
    if (!room.data) return
    fitGrid(room)
    drawWindow(room)
  })
  for (const node of [root, room.pane]) if (node) room.watch.observe(node)
  root.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && room.selected) choose(room, null)
  })
  return room
}

// What the board scrolls in, if it does
function paneOf(root) {
  let node = root
  do node = node.parentElement ?? node.getRootNode().host
  while (node && getComputedStyle(node).overflowY !== "auto")
  return node?.tagName === "MAIN" ? null : node
}

function element(tag, className, parent) {
  const node = document.createElement(tag)
  node.className = className
  parent.append(node)
  return node
}

function markNode(parent) {
  const svg = document.createElementNS(SVG, "svg")
  svg.setAttribute("viewBox", "0 0 16 16")
  svg.setAttribute("aria-hidden", "true")
  svg.append(document.createElementNS(SVG, "path"))
  parent.append(svg)
  return svg
}

function setMark(svg, look) {
  const path = svg.firstChild
  if (path.getAttribute("d") === look.path) return
  path.setAttribute("d", look.path)
  path.style.fill = look.stroke ? "none" : look.color
  path.style.stroke = look.stroke ? look.color : "none"
  path.style.strokeWidth = look.stroke
}

function setText(node, text) {
  if (node.textContent !== text) node.textContent = text
}

function setClass(node, name) {
  if (node.className !== name) node.className = name
}

// Drawing

function draw(room) {
  const { data, root } = room
  setClass(root, data.projector ? "board projector" : "board")
  for (const [state, look] of Object.entries(data.looks))
    root.style.setProperty("--" + state, look.color)
  room.byName = new Map(data.tools.map((tool) => [tool.name, tool]))
  setClass(room.banner, "banner " + data.banner.kind)
  setText(room.banner, data.banner.text)
  drawGrid(room)
  drawCounts(room)
  setText(room.query, data.query)
  setText(room.hint, data.words.hint)
  fitGrid(room)
  drawWindow(room)
  drawDetail(room)
}

function drawGrid(room) {
  const { data } = room
  const n = data.tools.length
  const size = n > DUST ? "dust" : n > 220 ? "tiny" : n > 110 ? "small" : "large"
  const single = data.servers.length === 1 ? " single" : ""
  const evicted = data.banner.kind === "evicted" ? " evicted" : ""
  setClass(room.grid, `grid ${size}${single}${evicted}`)
  room.grid.setAttribute("aria-label", data.words.grid)
  dropMissing(room.tools, room.byName)
  const servers = new Map(data.servers.map((server) => [server, true]))
  dropMissing(room.groups, servers)
  for (const server of data.servers) {
    const group = room.groups.get(server) ?? newGroup(room, server)
    room.grid.append(group)
  }
  for (const tool of data.tools) {
    const node = room.tools.get(tool.name) ?? newTool(room, tool)
    const place = room.groups.get(data.servers[tool.server]).lastChild
    if (node.parentNode !== place) place.append(node)
    const look = data.looks[tool.state]
    setClass(node, `tool ${tool.state}${tool.pinned ? " pinned" : ""}`)
    setMark(node.firstChild, look)
    node.setAttribute("aria-label", `${tool.name}, ${sayState(room, tool)}`)
  }
  if (room.tools.size && ![...room.tools.values()].some((node) => node.tabIndex === 0))
    room.tools.values().next().value.tabIndex = 0
}

function newGroup(room, server) {
  const group = element("div", "group", room.grid)
  setText(element("span", "server", group), server || room.data.words.no_server)
  element("div", "marks", group)
  room.groups.set(server, group)
  return group
}

function newTool(room, tool) {
  const node = document.createElement("button")
  node.type = "button"
  node.tabIndex = -1
  node.dataset.tool = tool.name
  markNode(node)
  room.tools.set(tool.name, node)
  return node
}

function dropMissing(nodes, wanted) {
  for (const [name, node] of nodes)
    if (!wanted.has(name)) {
      node.remove()
      nodes.delete(name)
    }
}

function sayState(room, tool) {
  const { looks, words } = room.data
  return looks[tool.state].word + (tool.pinned ? ", " + words.pinned : "")
}

function drawCounts(room) {
  const { data } = room
  const counted = {}
  for (const tool of data.tools) counted[tool.state] = (counted[tool.state] ?? 0) + 1
  if (!room.counts.childElementCount) {
    let parent = room.counts
    for (const state of Object.keys(data.looks)) {
      if (state === "dropped") {
        const both = element("li", "both", room.counts)
        element("span", "heading", both)
        parent = element("ul", "counts", both)
      }
      const item = element("li", "count " + state, parent)
      markNode(item)
      element("span", "number", item)
      element("span", "word", item)
    }
  }
  setText(room.counts.querySelector(".heading"), data.words.evicted)
  for (const [state, look] of Object.entries(data.looks)) {
    const item = room.counts.querySelector(".count." + state)
    const n = counted[state] ?? 0
    item.classList.toggle("none", n === 0)
    setMark(item.children[0], look)
    setText(item.children[1], String(n))
    setText(item.children[2], look.word)
  }
}

// Smaller marks, where the pane would otherwise not show all of them at once
function fitGrid(room) {
  const { grid, pane } = room
  const left = grid.parentElement
  for (const name of ["--mark", "--gap"]) grid.style.removeProperty(name)
  room.free = Infinity
  if (!pane?.clientHeight) return
  const above = left.getBoundingClientRect().top - pane.getBoundingClientRect().top + pane.scrollTop
  room.free = pane.clientHeight - above
  const some = room.tools.values().next().value
  if (!some || room.tools.size > DUST || left.offsetHeight <= room.free) return
  grid.style.setProperty("--gap", "2px")
  // Smaller than a line of type would gain nothing
  const margin = some.clientWidth - some.firstChild.clientWidth
  const least = 1.2 * parseFloat(getComputedStyle(grid).fontSize) - margin
  for (let mark = some.firstChild.clientWidth - 1; left.offsetHeight > room.free && mark >= least; mark--)
    grid.style.setProperty("--mark", `${mark}px`)
}

// The request as a window of bars, each as high as its tokens

function drawWindow(room) {
  const sent = room.data.window
  setText(room.title, sent.title)
  setText(room.total, sent.total)
  setText(room.rest, sent.rest)
  drawGauge(room, sent)
  const width = room.root.clientWidth
  const roomy = width >= SIDE_BY_SIDE
  const tall = (room.data.projector ? 460 : 380) - (roomy && width < WIDE ? 120 : 0)
  const head = room.pile.getBoundingClientRect().top - room.window.getBoundingClientRect().top + 14
  const beside = room.grid.parentElement.offsetHeight - head
  const limit = roomy ? Math.min(Math.max(beside, Math.min(tall, room.free - head), 120), 620) : tall
  const gap = sent.bars.length > 60 ? 0 : sent.bars.length > 25 ? 1 : 3
  const heights = heightsOf(sent.bars, limit - gap * sent.bars.length, room.data.projector)
  dropBars(room, new Set(sent.bars.map((bar) => bar.name)))
  let y = 0
  sent.bars.forEach((bar, place) => {
    placeBar(room, bar, y, heights[place])
    y += heights[place] + gap
  })
  room.pile.style.height = `${roomy ? limit : Math.max(y, 60)}px`
  const bars = barsInOrder(room)
  if (bars.length && !bars.some((node) => node.tabIndex === 0)) bars[0].tabIndex = 0
}

// In proportion to the tokens, but for the smallest, which keep room for a name while there is any
function heightsOf(bars, free, projector) {
  const name = projector ? 24 : 17
  const least = bars.length * name < free * 0.9 ? name : Math.min(1.5, free / bars.length)
  const heights = (scale) => bars.map((bar) => Math.max(least, bar.tokens * scale))
  const sum = (scale) => heights(scale).reduce((total, height) => total + height, 0)
  let [low, high] = [0, projector ? 0.11 : 0.09]
  if (sum(high) <= free) return heights(high)
  for (let step = 0; step < 20; step++) {
    const middle = (low + high) / 2
    if (sum(middle) <= free) low = middle
    else high = middle
  }
  return heights(low)
}

function drawGauge(room, sent) {
  room.gauge.setAttribute("aria-label", sent.alt)
  const whole = Math.max(sent.baseline_tokens, sent.total_tokens, 1)
  sent.parts.forEach((part, place) => {
    const node = room.gauge.children[place] ?? element("span", "", room.gauge)
    setClass(node, "part " + part.name)
    node.style.background = part.color
    node.style.width = `${(100 * part.tokens) / whole}%`
  })
}

function placeBar(room, bar, y, height) {
  const tool = room.byName.get(bar.name)
  const state = tool ? tool.state : "discovered"
  const known = room.bars.get(bar.name)
  const node = known ?? newBar(room, bar)
  const thin = height < LABEL_PX ? " thin" : ""
  setClass(node, `bar ${bar.kind} ${state}${tool?.pinned ? " pinned" : ""}${thin}`)
  setMark(node.children[0], room.data.looks[state])
  setText(node.children[1], bar.name)
  setText(node.children[2], bar.label)
  node.setAttribute("aria-label", `${bar.name}, ${barState(room, bar, tool)}, ${bar.label}`)
  node.style.transform = `translateY(${y}px)`
  node.style.height = `${height}px`
  node.style.order = String(y)
  if (!known) travel(room, node, bar.name, y, false)
}

function newBar(room, bar) {
  const node = element("button", "bar", room.pile)
  node.type = "button"
  node.tabIndex = -1
  node.dataset.tool = bar.name
  markNode(node)
  element("span", "name", node)
  element("span", "tokens", node)
  room.bars.set(bar.name, node)
  return node
}

function barState(room, bar, tool) {
  return tool ? sayState(room, tool) : room.data.words.search_tool
}

function barsInOrder(room) {
  return room.data.window.bars.map((bar) => room.bars.get(bar.name)).filter(Boolean)
}

function dropBars(room, wanted) {
  for (const [name, node] of room.bars) {
    if (wanted.has(name)) continue
    room.bars.delete(name)
    node.tabIndex = -1
    delete node.dataset.tool
    node.classList.add("leaving")
    const y = new DOMMatrix(getComputedStyle(node).transform).f
    const leaving = travel(room, node, name, y, true)
    if (leaving) leaving.onfinish = () => node.remove()
    else node.remove()
  }
}

// From the mark in the grid to the place in the window, or back
function travel(room, node, name, y, away) {
  const mark = room.tools.get(name)
  if (!mark || matchMedia("(prefers-reduced-motion: reduce)").matches) return null
  const from = mark.getBoundingClientRect()
  const to = room.pile.getBoundingClientRect()
  const start = {
    transform: `translate(${from.left - to.left}px, ${from.top - to.top}px)`,
    width: `${from.width}px`,
    height: `${from.height}px`,
    opacity: 0.3,
  }
  const end = { transform: `translate(0, ${y}px)`, opacity: 1 }
  const fall = { transform: `translate(0, ${y + 30}px) rotate(-2deg)`, opacity: 0.9, offset: 0.35 }
  const steps = away ? [end, fall, start] : [start, end]
  return node.animate(steps, { duration: MOVE_MS, easing: "cubic-bezier(.3,.7,.3,1)" })
}

// Keyboard: one tab stop for each part, arrows within it

function walk(event, nodes) {
  const place = nodes.indexOf(event.target)
  if (place < 0) return
  const next = {
    ArrowRight: () => nodes[place + 1],
    ArrowLeft: () => nodes[place - 1],
    Home: () => nodes[0],
    End: () => nodes.at(-1),
    ArrowDown: () => neighbour(nodes, event.target, 1),
    ArrowUp: () => neighbour(nodes, event.target, -1),
  }[event.key]?.()
  if (!next) return
  event.preventDefault()
  event.target.tabIndex = -1
  next.tabIndex = 0
  next.focus()
}

// The closest one in the next line above or below
function neighbour(nodes, from, way) {
  const here = from.getBoundingClientRect()
  let best = null
  let least = Infinity
  for (const node of nodes) {
    const box = node.getBoundingClientRect()
    const down = (box.top - here.top) * way
    if (down < 2) continue
    const far = down * 4 + Math.abs(box.left - here.left)
    if (far < least) [best, least] = [node, far]
  }
  return best
}

// Words for a mark: a tip while it is under the pointer or has the focus, all of it when chosen

function showTip(room, node) {
  const { tip } = room
  tip.hidden = !node || node.dataset.tool === room.selected
  if (tip.hidden) return
  const tool = room.byName.get(node.dataset.tool)
  tip.replaceChildren()
  setText(element("b", "", tip), node.dataset.tool)
  setText(element("span", "", tip), tool ? sayState(room, tool) : room.data.words.search_tool)
  const frame = room.root.getBoundingClientRect()
  const box = node.getBoundingClientRect()
  const left = Math.min(box.left - frame.left, frame.width - tip.offsetWidth - 4)
  tip.style.left = `${Math.max(0, left)}px`
  tip.style.top = `${box.top - frame.top - tip.offsetHeight - 6}px`
}

// A second click, one beside all marks, or Escape takes the strip away
function choose(room, node) {
  const name = node?.dataset.tool ?? null
  room.selected = name === room.selected ? null : name
  room.tip.hidden = true
  drawDetail(room)
}

function drawDetail(room) {
  const { data, detail, selected } = room
  for (const node of [...room.tools.values(), ...room.bars.values()])
    node.toggleAttribute("data-chosen", node.dataset.tool === selected)
  const facts = selected ? factsOf(data, room.byName.get(selected), selected) : []
  detail.hidden = !facts.length
  const shown = JSON.stringify([selected, facts])
  if (detail.dataset.shown === shown) return
  detail.dataset.shown = shown
  detail.replaceChildren()
  if (detail.hidden) return
  const close = element("button", "close", detail)
  close.type = "button"
  close.setAttribute("aria-label", data.words.close)
  setText(close, "✕")
  close.onclick = () => choose(room, null)
  setText(element("p", "name", detail), selected)
  const list = element("dl", "", detail)
  for (const [term, value] of facts) {
    const pair = element("div", "", list)
    setText(element("dt", "", pair), term)
    setText(element("dd", "", pair), value)
  }
}

function factsOf(data, tool, name) {
  const { words, looks } = data
  const bar = data.window.bars.find((bar) => bar.name === name)
  if (!tool) return bar ? [[words.state, words.search_tool], [words.tokens, bar.label]] : []
  const more = data.details[tool.name] ?? {}
  return [
    [words.state, looks[tool.state].word + (tool.pinned ? ", " + words.pinned : "")],
    [words.server, data.servers[tool.server]],
    [words.reason, more.reason ?? data.first_reason],
    [words.query, more.query],
    [words.score, more.score],
    [words.tokens, more.tokens],
    [words.turn, more.turn],
    [words.calls, more.calls],
  ].filter(([, value]) => value)
}
