export { MAX_WAITING_PDFS, StatementPdf } from './statement-pdf.js';
