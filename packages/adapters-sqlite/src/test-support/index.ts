export { openWithoutThread } from './open-without-thread.js';
export { storeInMemory } from './store-in-memory.js';
