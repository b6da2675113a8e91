import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { PrintedDocument } from './printed-document.js';

// Entry of a worker thread: renders one document and ends.
const program = new URL(`./render-document${extname(fileURLToPath(import.meta.url))}`, import.meta.url);
const { renderDocument } = await import(program.href) as { readonly renderDocument: (document: PrintedDocument) => Promise<Uint8Array> };
parentPort?.postMessage(await renderDocument(workerData as PrintedDocument));
