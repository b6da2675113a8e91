export type * from './mail-settings.js';
export { openMailTransport } from './open-mail-transport.js';
