import type * as first from '../first/imports-second.js';
