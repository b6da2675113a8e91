import type { Imported } from '../people/imported.js';
