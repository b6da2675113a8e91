export * from './issuer-server/issuer-server.js';
export * from './issuer-server/issuer-visit.js';
