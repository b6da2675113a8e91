export * from './decode-fields.js';
export * from './decode-shared-fields.js';
export * from './framing.js';
export * from './error-table.js';
export * from './encode-records.js';
export * from './usage-export.js';
export * from './refused-fields.js';
export * from './decode-document-files.js';
