export * from './decode-fields.js';
export * from './decode-shared-fields.js';
export * from './receipt.js';
export * from './error-table.js';
export * from './response-headers.js';
export * from './records/encode-usage-record.js';
export * from './records/usage-export.js';
export * from './records/encode-operator-controls.js';
