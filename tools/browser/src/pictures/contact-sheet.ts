/** A page that shows all pictures side by side, so that they can be looked at in minutes. */
export function contactSheet(names: readonly string[]): string {
  const figures = names.map((name) => `<figure><a href="${name}.png"><img src="${name}.png" alt="" loading="lazy"></a><figcaption>${name}</figcaption></figure>`).join('\n');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>The dashboard in pictures</title>
<style>
body { font: 14px system-ui; margin: 16px; background: #808890; color: #fff; }
main { display: flex; flex-wrap: wrap; gap: 16px; align-items: flex-start; }
figure { margin: 0; }
img { max-width: 420px; max-height: 520px; display: block; box-shadow: 0 1px 6px #0006; }
</style>
<h1>The dashboard in pictures</h1>
<main>
${figures}
</main>
</html>
`;
}
