import type { Imported } from '../billing/imported.js';
