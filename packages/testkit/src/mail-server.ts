export * from './mail-server/localhost-certificate.js';
export * from './mail-server/mail-server.js';
export * from './mail-server/parse-mail.js';
