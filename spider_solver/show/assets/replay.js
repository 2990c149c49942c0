"use strict";
(() => {
  const game = JSON.parse(document.getElementById("game").textContent);
  const steps = game.steps;
  const end = steps.length - 1;
  const find = (id) => document.getElementById(id);
  const table = find("table");
  const STEP_MS = 900; // between two actions at speed 1
  const SMALL = 0.5; // size of the stock and of completed runs
  const RATIO = 1.4; // height of a card, in its width; so are the steps from card to card
  const STEP_DOWN = 0.13;
  const STEP_UP = 0.34;
  const TIGHTEST = 0.62; // part of the steps that is left in the highest columns
  const LEAST_WIDTH = 44; // pixels; rather than smaller cards the table scrolls
  let at = 0;
  let timer = null;

  // ---- what lies on the table ----

  function element(kind, parent = table) {
    const made = document.createElement("div");
    made.className = kind;
    parent.append(made);
    return made;
  }

  function suit(letter) {
    return `<svg viewBox="0 0 100 100"><use href="#suit-${letter}"/></svg>`;
  }

  function face(name) {
    const rank = name[0] === "T" ? "10" : name[0];
    return `<b>${rank}${suit(name[1])}</b>${suit(name[1])}`;
  }

  function makeCard(name) {
    const card = element("card");
    card.classList.toggle("red", "DH".includes(name[1]));
    card.setAttribute("aria-label", name);
    card.innerHTML = `<div class="sides"><div class="front">${face(name)}</div><div class="rear"></div></div>`;
    return card;
  }

  const letters = Array.from({ length: game.columns }, (_, column) => {
    const letter = element("letter");
    letter.textContent = String.fromCharCode(97 + column);
    return letter;
  });
  const places = Array.from({ length: game.columns }, () => element("place"));
  const donePlaces = Array.from({ length: game.runs }, () => element("place small"));
  const doneBefore = game.doneBefore.map((letter) => makeCard("K" + letter));
  const cards = game.cards.map(makeCard);

  // ---- where things stand ----

  function put(thing, x, y, scale = 1, depth = 0) {
    thing.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px) scale(${scale})`;
    thing.style.zIndex = depth;
  }

  // Height of a column in widths of a card, without its last card.
  function heightOf(count, down, under) {
    const below = Math.min(down, count - 1);
    return below * (under ? STEP_UP : STEP_DOWN) + Math.max(count - 1 - below, 0) * STEP_UP;
  }

  // The highest column that ever comes: the size of the cards is the same from start to end.
  const highest = [false, true].map((under) =>
    Math.max(...steps.flatMap(({ columns, down }) => columns.map((ids, i) => heightOf(ids.length, down[i], under)))));

  function measure(under) {
    const room = table.clientHeight - 12;
    const wide = Math.min((table.clientWidth - 8) / game.columns, 118) * 0.9;
    const fits = (room - 36) / (RATIO * (1 + SMALL) + TIGHTEST * highest[Number(under)]);
    const w = Math.floor(Math.max(Math.min(wide, fits), Math.min(wide, LEAST_WIDTH)));
    const h = Math.round(w * RATIO);
    const pitch = Math.min((table.clientWidth - 8) / game.columns, w * 1.3);
    const left = (table.clientWidth - game.columns * pitch + pitch - w) / 2;
    const head = h * SMALL + 14;
    table.style.setProperty("--w", `${w}px`);
    table.style.setProperty("--h", `${h}px`);
    return { pitch, w, h, left, head, top: head + 22, room };
  }

  // From card to card; cards of a high column overlap just as much as is needed to fit.
  function fan(count, down, under, m) {
    const need = heightOf(count, down, under) * m.w;
    const room = m.room - m.top - m.h;
    const squeeze = need > room ? Math.max(room / need, TIGHTEST) * m.w : m.w;
    return { down: (under ? STEP_UP : STEP_DOWN) * squeeze, up: STEP_UP * squeeze };
  }

  function show(card, isDown, isPeek) {
    card.classList.toggle("down", isDown && !isPeek);
    card.classList.toggle("peek", isDown && isPeek);
  }

  function layOut() {
    const step = steps[at];
    const under = find("under").checked;
    const m = measure(under);
    const moved = new Set(at > 0 ? movedCards() : []);
    cards.forEach((card, id) => card.classList.toggle("moved", moved.has(id)));

    const run = Math.min(m.w * SMALL + 5, (m.pitch * (game.columns - 3)) / game.runs);
    donePlaces.forEach((place, number) => put(place, m.left + number * run, 8, SMALL));
    doneBefore.forEach((card, number) => put(card, m.left + number * run, 8, SMALL, 1));
    step.done.forEach((ids, number) => {
      const x = m.left + (doneBefore.length + number) * run;
      ids.forEach((id, place) => {
        put(cards[id], x, 8, SMALL, 20 - place);
        show(cards[id], false, under);
      });
    });

    const right = m.left + (game.columns - 1) * m.pitch + m.w - m.w * SMALL;
    step.stock.forEach((id, place) => {
      const row = Math.floor(place / game.columns);
      put(cards[id], right - row * m.w * 0.13, 8, SMALL, 99 - place);
      show(cards[id], true, false);
    });

    step.columns.forEach((ids, column) => {
      const x = m.left + column * m.pitch;
      put(letters[column], x, m.head);
      put(places[column], x, m.top);
      const down = step.down[column];
      const spread = fan(ids.length, down, under, m);
      ids.forEach((id, height) => {
        const y = m.top + Math.min(height, down) * spread.down + Math.max(height - down, 0) * spread.up;
        put(cards[id], x, y, 1, height + 1 + (moved.has(id) ? 200 : 0));
        show(cards[id], height < down, under);
      });
    });
  }

  // Cards that the last action put where they are.
  function movedCards() {
    const before = steps[at - 1];
    return steps[at].columns.flatMap((ids, column) => {
      const old = new Set(before.columns[column]);
      return ids.filter((id) => !old.has(id));
    });
  }

  // ---- what is said ----

  function tell() {
    const step = steps[at];
    const finished = at === end;
    find("action").textContent = `${at} / ${end}`;
    find("score").textContent = step.score.toLocaleString("en");
    find("runs").textContent = `${doneBefore.length + step.done.length} / ${game.runs}`;
    find("rows").textContent = step.rows === 1 ? "1 row" : `${step.rows} rows`;
    find("move").textContent = step.move || "";
    const closing = [game.result, game.note].filter(Boolean).join("; ");
    const words = at === 0 ? "the start" : step.words;
    find("words").textContent = finished ? `${at === 0 ? "" : `${words} — `}${closing}` : words;
    find("said").classList.toggle("won", finished && game.won);
    find("jump").value = at;
    find("first").disabled = find("back").disabled = at === 0;
    find("next").disabled = find("last").disabled = finished;
    const links = find("moves").children;
    for (let place = 0; place < links.length; place++) {
      links[place].classList.toggle("here", place === at);
    }
    if (!find("moves").hidden) links[at].scrollIntoView({ block: "nearest" });
  }

  function go(to) {
    at = Math.max(0, Math.min(end, to));
    layOut();
    tell();
    if (at === end) pause();
  }

  // ---- playing ----

  const speed = () => Number(find("speed").value);

  function pause() {
    clearTimeout(timer);
    timer = null;
    document.body.classList.remove("playing");
  }

  function tick() {
    go(at + 1);
    if (at < end) timer = setTimeout(tick, STEP_MS / speed());
  }

  function play() {
    if (timer !== null) return pause();
    if (end === 0) return;
    if (at === end) go(0);
    document.body.classList.add("playing");
    timer = setTimeout(tick, 250);
  }

  function setSpeed() {
    document.documentElement.style.setProperty("--time", `${Math.min(300, 500 / speed())}ms`);
  }

  function changeSpeed(by) {
    const choice = find("speed");
    choice.selectedIndex = Math.max(0, Math.min(choice.length - 1, choice.selectedIndex + by));
    setSpeed();
  }

  function step(by) {
    pause();
    go(at + by);
  }

  // ---- controls ----

  find("jump").max = end;
  find("jump").disabled = find("play").disabled = end === 0;
  find("jump").addEventListener("input", (event) => step(Number(event.target.value) - at));
  find("first").addEventListener("click", () => step(-end));
  find("back").addEventListener("click", () => step(-1));
  find("next").addEventListener("click", () => step(1));
  find("last").addEventListener("click", () => step(end));
  find("play").addEventListener("click", play);
  find("speed").addEventListener("change", setSpeed);
  find("under").addEventListener("change", layOut);
  find("list").addEventListener("click", toggleMoves);
  steps.forEach(({ move }, place) => {
    const link = document.createElement("a");
    link.textContent = move || "start";
    link.classList.toggle("deal", move === "deal");
    link.addEventListener("click", () => step(place - at));
    find("moves").append(link);
  });

  function toggleMoves() {
    find("moves").hidden = !find("moves").hidden;
    find("list").setAttribute("aria-expanded", String(!find("moves").hidden));
    layOut();
    tell();
  }

  function lookUnder() {
    find("under").checked = !find("under").checked;
    layOut();
  }

  const KEYS = {
    ArrowRight: () => step(1),
    ArrowLeft: () => step(-1),
    PageDown: () => step(10),
    PageUp: () => step(-10),
    Home: () => step(-end),
    End: () => step(end),
    " ": play,
    u: lookUnder,
    m: toggleMoves,
    "+": () => changeSpeed(1),
    "-": () => changeSpeed(-1),
  };

  document.addEventListener("keydown", (event) => {
    const action = KEYS[event.key];
    const onControl = event.target.matches("select") || (event.key === " " && event.target.matches("button, input"));
    if (!action || onControl || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  });
  window.addEventListener("resize", layOut);
  window.addEventListener("hashchange", () => step(Number(location.hash.slice(1)) - at || 0));

  // Begin without gliding there; page.html#12 begins after 12 actions.
  table.classList.add("still");
  go(Number(location.hash.slice(1)) || 0);
  table.getBoundingClientRect();
  table.classList.remove("still");
})();
