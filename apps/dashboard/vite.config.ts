import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { chunks } from './vite/chunk-groups.ts';
import { isDefaultLanguage, languagePage, localeFile, textsFolder } from './vite/language.ts';
import { precompress } from './vite/precompress.ts';
import { routeTable } from './vite/route-table.ts';

const GATEWAY = process.env['GATEWAY_URL'] ?? 'http://localhost:8080';

// The content security policy forbids inline scripts and styles, and scripts and styles in data URLs.
export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  plugins: [react({ jsxImportSource: '#shown' }), routeTable(), languagePage(), precompress()],
  resolve: { alias: { '#locale': localeFile, '#texts': textsFolder, '#shown': fileURLToPath(new URL('src/shown', import.meta.url)) } },
  build: {
    // The folder is part of the gateway's package, so that the pages are installed with the gateway.
    outDir: '../gateway/pages',
    // The other languages are built into the same folder, after the default one; files without texts have the same names in each.
    emptyOutDir: isDefaultLanguage,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    reportCompressedSize: false,
    rolldownOptions: { output: chunks },
    chunkSizeWarningLimit: 700,
  },
  server: { proxy: { '/dashboard/api': { target: GATEWAY, changeOrigin: true } } },
});
