/* What is known of the chosen operation: what it reads, what reads it, its events and its numbers. */
class Operations {
  constructor(list, home) {
    Object.assign(this, { list, home });
  }

  /* Show the operation of a name; return whether there is one. */
  show(name) {
    const [row] = this.list.leading(`operation/${name}`);
    if (row === undefined) return false;
    this.list.reveal(row);
    const of = head => { const column = this.list.named(head); return column ? this.list.cell(column, row) : null; };
    const number = head => typeof of(head) === "number" ? plain(of(head)) : of(head);
    const readers = this.readers.get(name) ?? [], most = 16;
    const facts = {
      type: [of("type")], attributes: [of("attributes") && tag("code", {}, of("attributes"))],
      reads: of("reads").split(" ").filter(Boolean).map(each => this.link(each)),
      "read by": [...readers.slice(0, most).map(each => this.link(each)), ...(readers.length > most ? [`and ${plain(readers.length - most)} more`] : [])],
      events: [...this.events(name), ...(of("events") ? [] : ["none"])],
      ...Object.fromEntries(["signal to noise, dB", "headroom, bits", "accumulator, bits"].map(head => [head, [number(head)]])),
      "stored numbers": [of("stored")], sum: [this.sum(name)], where: [of("where")],
    };
    const lines = Object.entries(facts).map(([head, parts]) => [head, parts.filter(part => part !== null && part !== "")]).filter(([, parts]) => parts.length);
    this.home.replaceChildren(tag("h3", {}, `${of("kind")} ${of("operation")}`), tag("p", { class: "links" }, ...this.links(name)),
      tag("dl", {}, ...lines.flatMap(([head, parts]) => [tag("dt", {}, head), tag("dd", {}, ...parts.map(part => part instanceof Node ? part : tag("span", {}, part)))])));
    return true;
  }

  /* Bring the description into view, and with it as much of the list as fits. */
  come() {
    const section = this.home.closest("section");
    if (this.list.box.getBoundingClientRect().top < 0 || this.home.getBoundingClientRect().bottom > innerHeight) section.scrollIntoView();
    if (this.home.getBoundingClientRect().bottom > innerHeight) this.home.scrollIntoView({ block: "end" });
  }

  link(name) {
    const known = this.list.leading(`operation/${name}`).length;
    return known ? tag("a", { href: `#operation/${name}` }, name) : tag("code", {}, name);
  }

  *links(name) {
    if (graph && graph.find(name) >= 0) yield tag("a", { href: `#op/${name}` }, "in the graph");
    if (document.getElementById(`layer/${name}`)) yield tag("a", { href: `#layer/${name}` }, "in the profile");
    if (document.getElementById(`reduction/${name}`)) yield tag("a", { href: `#reduction/${name}` }, "its elements");
  }

  /* The names of the operations that read each value. */
  get readers() {
    const by = new Map(), reads = this.list.named("reads"), { to } = this.list.shown[0];
    for (let row = 0; row < this.list.total; row++)
      for (const name of new Set(this.list.cell(reads, row).split(" "))) {
        const own = to[row].slice("operation/".length);
        if (by.has(name)) by.get(name).push(own); else by.set(name, [own]);
      }
    Object.defineProperty(this, "readers", { value: by });
    return by;
  }

  events(name) {
    const list = rows.get("events");
    return (list?.leading(`operation/${name}`) ?? []).map(row => {
      const [count, kind, first, worst] = ["count", "severity and kind", "first", "worst"].map(head => list.cell(list.named(head), row));
      const line = tag("div", { class: "more" });
      line.innerHTML = kind;
      line.append(` × ${plain(count)}, first at ${first}${worst === "the first" ? "" : `; worst at ${worst}`}`);
      return line;
    });
  }

  sum(name) {
    const list = rows.get("sums"), [row] = list?.leading(`operation/${name}`) ?? [];
    if (row === undefined) return null;
    const known = list.shown.slice(1).map(column => [column.head, list.cell(column, row)]).filter(([, cell]) => cell !== 0);
    return known.map(([head, cell]) => `${head} ${typeof cell === "number" ? plain(cell) : cell}`).join(", ");
  }
}
const operations = rows.has("operations") ? new Operations(rows.get("operations"), document.getElementById("operation")) : null;
