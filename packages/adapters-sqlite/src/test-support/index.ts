export { storeInMemory } from './store-in-memory.js';
