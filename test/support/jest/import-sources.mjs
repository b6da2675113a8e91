import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createScriptTransformer } from '@jest/transform';

const GLOBALS = new URL('globals.mjs', import.meta.url).href;
const AS_MODULE = { instrument: false, supportsDynamicImport: true, supportsExportNamespaceFrom: true, supportsStaticESM: true, supportsTopLevelAwait: true };

/** Module for a style sheet; each class is exported under its name. */
const STYLES = 'export default new Proxy({}, { get: (classes, name) => name });';

/** Source maps of compiled sources, by the URL that stack traces contain. */
export const sourceMaps = new Map();

let hooks = null;

/** Lets Node import TypeScript by jest's configuration: its transformer compiles and caches on disk, and its `moduleNameMapper` finds modules. */
export async function importSources(config) {
  if (hooks !== null) return;
  const transformer = await createScriptTransformer(config, new Map());
  const mapped = config.moduleNameMapper.map(([pattern, path]) => ({ pattern: new RegExp(pattern), path }));
  hooks = registerHooks({
    resolve: (specifier, context, nextResolve) => {
      const url = isSource(context.parentURL) ? sourceOf(specifier, context.parentURL, mapped) : null;
      return url === null ? nextResolve(specifier, context) : { url, format: 'module', shortCircuit: true };
    },
    load: (url, context, nextLoad) => {
      if (isSource(url)) return { format: 'module', source: compiled(url, transformer), shortCircuit: true };
      return url.endsWith('.css') ? { format: 'module', source: STYLES, shortCircuit: true } : nextLoad(url, context);
    },
  });
}

function isSource(url) {
  return url !== undefined && url.startsWith('file:') && /\.tsx?$/.test(url);
}

/** URL of the source for an import; `null` if Node finds the module itself. */
function sourceOf(specifier, parent, mapped) {
  if (specifier === '@jest/globals') return GLOBALS;
  if (specifier.startsWith('.')) return typescriptOf(new URL(specifier, parent));
  for (const { pattern, path } of mapped) {
    const match = pattern.exec(specifier);
    if (match !== null) return pathToFileURL(path.replace(/\$(\d)/, (_, group) => match[group])).href;
  }
  return null;
}

/** Source of a compiled file; the dashboard names the file without an extension. `null` if there is no source. */
function typescriptOf({ pathname, href }) {
  if (!/\/[^/.]+$|\.js$/.test(pathname)) return null;
  const sources = ['.ts', '.tsx', '/index.ts'].map((extension) => new URL(`${href.replace(/\.js$/, '')}${extension}`));
  return sources.find((source) => existsSync(source))?.href ?? null;
}

function compiled(url, transformer) {
  const { code, sourceMapPath } = transformer.transform(fileURLToPath(url), AS_MODULE);
  if (sourceMapPath !== null) sourceMaps.set(url, sourceMapPath);
  return code;
}
