import { readdirSync, rmSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { rolldown } from 'rolldown';
import { bundles, nodeModules } from './run.mjs';

// Bundles the compiled programs; runs on the pinned Node. Why: docs/decisions/0159-bundle-the-programs.md

for (const { entry, folder } of Object.values(bundles)) await bundle(entry, folder);

/** Bundles a program with the workspaces that it imports. Installed packages stay outside, and threads load what the compiler wrote. */
async function bundle(entry, folder) {
  const build = await rolldown({
    input: entry,
    platform: 'node',
    makeAbsoluteExternalsRelative: true,
    checks: { bundlerTimings: false },
    plugins: [{ name: 'installed-packages', resolveId: resolveInstalled }, { name: 'module-urls', transform: (code, id) => keepUrl(code, { id, folder }) }],
  });
  const { output } = await build.write({ dir: folder, format: 'esm', chunkFileNames: '[name].js', comments: false });
  await build.close();
  const written = new Set(output.map(({ fileName }) => fileName));
  for (const name of readdirSync(folder)) if (!written.has(name)) rmSync(join(folder, name));
}

/**
 * Leaves installed packages outside. A version that npm installed for one workspace is imported by its path, because Node would find another version
 * from the bundle.
 */
async function resolveInstalled(source, importer) {
  if (importer === undefined || source.startsWith('.') || isAbsolute(source)) return null;
  const resolved = await this.resolve(source, importer, { skipSelf: true });
  if (resolved === null) throw new Error(`${importer} imports ${source}, which is not installed.`);
  if (!resolved.external && !resolved.id.includes(`${sep}node_modules${sep}`)) return resolved;
  const isShared = resolved.external || resolved.id.startsWith(nodeModules + sep);
  return { id: isShared ? source : resolved.id, external: true };
}

/** Keeps the URL of each module, because modules name files beside them, such as SQL statements and the programs of threads. */
function keepUrl(code, { id, folder }) {
  const other = /import\.meta(?!\.url\b)[.\w]*/.exec(code);
  if (other !== null) throw new Error(`${id} uses ${other[0]}. Only import.meta.url is the same in a bundle.`);
  const path = relative(folder, id).split(sep).join('/');
  return code.includes('import.meta.url') ? code.replaceAll('import.meta.url', `new URL(${JSON.stringify(path)}, import.meta.url).href`) : null;
}
