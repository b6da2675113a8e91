import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const COMPRESSIBLE = /\.(?:html|js|css|svg|json|webmanifest)$/;

/** Writes Brotli and gzip copies of every text file that has none, so that the gateway never compresses. */
export function precompress(): Plugin {
  let folder = '';
  return {
    name: 'precompress',
    apply: 'build',
    configResolved: (config) => { folder = join(config.root, config.build.outDir); },
    closeBundle() {
      for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => COMPRESSIBLE.test(name))) {
        const path = join(folder, file);
        if (existsSync(`${path}.br`)) continue;
        const bytes = readFileSync(path);
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }));
        writeFileSync(`${path}.br`, brotliCompressSync(bytes));
      }
    },
  };
}
