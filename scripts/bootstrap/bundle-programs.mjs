import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { rolldown } from 'rolldown';
import { bundles, nodeModules } from './run.mjs';

// Bundles the compiled programs; runs on the pinned Node. Why: docs/decisions/0159-bundle-the-programs.md

/** Parts are kept for a week after the build that replaces them, because a running program loads some parts late. */
const KEPT_MILLISECONDS = 7 * 86_400_000;
/** File that lists the parts of the last build. */
const PARTS = 'parts.json';

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
  const inOrder = [...output].sort((one, other) => one.isEntry - other.isEntry);
  for (const { fileName, code } of inOrder) replaceFile(join(folder, fileName), code);
  removeOld(folder, output.map(({ fileName }) => fileName));
}

/** Replaces a file at once, so that nobody reads a part of it. */
function replaceFile(file, text) {
  const written = `${file}.${process.pid}`;
  writeFileSync(written, text);
  renameSync(written, file);
}

/** Removes what was replaced more than a week ago: the time of a replaced part is that of the build that replaced it. */
function removeOld(folder, current) {
  const list = join(folder, PARTS);
  const now = new Date();
  const replaced = (existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []).filter((name) => !current.includes(name) && existsSync(join(folder, name)));
  for (const name of replaced) utimesSync(join(folder, name), now, now);
  replaceFile(list, JSON.stringify(current));
  for (const name of readdirSync(folder)) {
    // Another build may remove or rename a file meanwhile.
    const age = now - (statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? now);
    if (!current.includes(name) && name !== PARTS && age > KEPT_MILLISECONDS) rmSync(join(folder, name), { force: true });
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
  if (!code.includes('import.meta.url')) return null;
  const path = relative(folder, id).split(sep).join('/');
  return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(path)}, import.meta.url).href`);
}
