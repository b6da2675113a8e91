import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { rolldown } from 'rolldown';
import { bundles, nodeModules } from './run.mjs';

// Bundles the compiled programs; runs on the pinned Node. Why: docs/decisions/0159-bundle-the-programs.md

/** Parts of earlier builds are kept for a week, because a running program loads some parts late. */
const KEPT_MILLISECONDS = 7 * 86_400_000;

for (const { entry, folder } of Object.values(bundles)) await bundle(entry, folder);

/** Bundles a program with the workspaces that it imports. Installed packages stay outside, and threads load what the compiler wrote. */
async function bundle(entry, folder) {
  const build = await rolldown({
    input: entry,
    platform: 'node',
    makeAbsoluteExternalsRelative: true,
    checks: { bundlerTimings: false },
    plugins: [
      { name: 'installed-packages', resolveId(source, importer) { return resolveInstalled(this, { source, importer, folder }); } },
      { name: 'module-urls', transform: (code, id) => keepUrl(code, { id, folder }) },
    ],
  });
  const { output } = await build.generate({ dir: folder, format: 'esm', chunkFileNames: '[name]-[hash].js', minifyInternalExports: false, comments: false });
  await build.close();
  mkdirSync(folder, { recursive: true });
  // The program itself comes last: until then, a start runs the earlier build.
  const inOrder = [...output.filter(({ isEntry }) => !isEntry), ...output.filter(({ isEntry }) => isEntry)];
  for (const { fileName, code } of inOrder) replaceFile(join(folder, fileName), code);
  removeOld(folder, new Set(output.map(({ fileName }) => fileName)));
}

/** Replaces a file at once, so that nobody reads a part of it. */
function replaceFile(file, text) {
  const written = `${file}.${process.pid}`;
  writeFileSync(written, text);
  renameSync(written, file);
}

function removeOld(folder, current) {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (!current.has(name) && Date.now() - statSync(file).mtimeMs > KEPT_MILLISECONDS) rmSync(file, { force: true });
  }
}

/** Leaves installed packages outside. A version that Node would not find from the bundle is imported by its path. */
async function resolveInstalled(context, { source, importer, folder }) {
  if (importer === undefined || source.startsWith('.') || isAbsolute(source)) return null;
  const resolved = await context.resolve(source, importer, { skipSelf: true });
  if (resolved === null) throw new Error(`${importer} imports ${source}, which is not installed.`);
  if (resolved.external) return { id: source, external: true };
  if (!resolved.id.includes(`${sep}node_modules${sep}`)) return resolved;
  return { id: resolved.id.startsWith(foundFrom(folder, source) + sep) ? source : resolved.id, external: true };
}

/** Folder of the installed packages in which Node looks for a package that the bundle imports. */
function foundFrom(folder, source) {
  const own = join(dirname(folder), 'node_modules');
  const name = source.split('/').slice(0, source.startsWith('@') ? 2 : 1).join('/');
  return existsSync(join(own, name)) ? own : nodeModules;
}

/** Keeps the URL of each module, because modules name files beside them, such as SQL statements and the programs of threads. */
function keepUrl(code, { id, folder }) {
  const other = /import\.meta(?!\.url\b)[.\w]*/.exec(code);
  if (other !== null) throw new Error(`${id} uses ${other[0]}. Only import.meta.url is the same in a bundle.`);
  const path = relative(folder, id).split(sep).join('/');
  return code.includes('import.meta.url') ? code.replaceAll('import.meta.url', `new URL(${JSON.stringify(path)}, import.meta.url).href`) : null;
}
