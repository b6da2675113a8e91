import * as canary from '../canary.js';
