export * from './scripted-upstream/index.js';
