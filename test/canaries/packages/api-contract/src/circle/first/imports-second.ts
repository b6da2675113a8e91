import * as second from '../second/imports-first.js';
