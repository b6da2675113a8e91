export type * from './mail-settings.js';
export { openMailTransport } from './open-mail-transport.js';
export { verifyMailServer } from './verify-mail-server.js';
