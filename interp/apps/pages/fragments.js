/* Fragments that link to one thing: `#op/%3`, `#operation/%3`, `#layer/%3`, `#reduction/%3`, `#reduction/%3/element/0,37`. */
const fragment = () => {
  const raw = location.hash.slice(1);
  try {
    return [raw, decodeURIComponent(raw)];
  } catch {
    return [raw];
  }
};
const follow = () => {
  for (const text of fragment()) {
    const [, kind, name] = /^(op|operation|layer|reduction)\/(.+)$/s.exec(text) ?? [];
    if (kind === "op" && graph && graph.find(name) >= 0) {
      graph.choose(graph.find(name));
      graph.home.scrollIntoView();
      return;
    }
    if (kind === "operation" && typeof operations !== "undefined" && operations?.show(name)) return operations.come();
    const [, reduction, index] = /^(.+)\/element\/([\d,]*)$/s.exec(name ?? "") ?? [];
    const chosen = kind === "reduction" && maps.get(reduction ?? name);
    if (chosen) {
      if (reduction) chosen.goTo(index === "" ? [] : index.split(",").map(Number));
      document.getElementById(`reduction/${reduction ?? name}`).scrollIntoView();
      return;
    }
    if (kind && document.getElementById(text)) return document.getElementById(text).scrollIntoView();
  }
};
