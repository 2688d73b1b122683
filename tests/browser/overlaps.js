// Which texts of a page's figures lie over one another, or are cut off; and whether it scrolls sideways.
() => {
  const seen = element => {
    const style = getComputedStyle(element);
    return style.visibility !== "hidden" && +style.opacity !== 0 && style.display !== "none";
  };
  // The corners of a text as it is turned, a little inside of what its letters may fill.
  const corners = text => {
    const box = text.getBBox(), matrix = text.getScreenCTM(), inside = 0.15 * box.height;
    const [top, bottom] = [box.y + inside, box.y + box.height - inside];
    return [[box.x, top], [box.x + box.width, top], [box.x + box.width, bottom], [box.x, bottom]].map(
      ([x, y]) => [matrix.a * x + matrix.c * y + matrix.e, matrix.b * x + matrix.d * y + matrix.f]);
  };
  // Whether some line along a side of one of two boxes has them on different sides of it.
  const apart = (p, q) => [[p[0], p[1]], [p[1], p[2]], [q[0], q[1]], [q[1], q[2]]].some(([a, b]) => {
    const across = [b[1] - a[1], a[0] - b[0]], length = Math.hypot(...across);
    const along = ([x, y]) => (x * across[0] + y * across[1]) / length;
    const [one, other] = [p.map(along), q.map(along)];
    return Math.min(Math.max(...one), Math.max(...other)) -
      Math.max(Math.min(...one), Math.min(...other)) < 1;
  });
  const found = [];
  for (const figure of document.querySelectorAll(".js-plotly-plot")) {
    const frame = figure.getBoundingClientRect();
    const texts = [...figure.querySelectorAll("svg text")]
      .filter(text => text.textContent.trim() && seen(text))
      .filter(text => !text.closest(".modebar") && !text.closest(".hoverlayer"))
      .map(text => [text.textContent, text.getBoundingClientRect(), corners(text)])
      .filter(([, box]) => box.width > 0);
    for (const [text, box] of texts)
      if (box.left < frame.left - 1 || box.right > frame.right + 1 ||
          box.top < frame.top - 1 || box.bottom > frame.bottom + 1) found.push(`${text} is cut off`);
    texts.forEach(([text, , box], place) => {
      for (const [other, , another] of texts.slice(place + 1))
        if (!apart(box, another)) found.push(`${text} lies over ${other}`);
    });
  }
  const main = document.querySelector("[data-testid=stMain]");
  if (main.scrollWidth > main.clientWidth) found.push("the page scrolls sideways");
  return found;
}
