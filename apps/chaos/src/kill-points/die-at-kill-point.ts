// Loaded before a gateway's own program with --import: that program is the one that is shipped and knows nothing of this.
import { KILL_COUNT_VARIABLE, KILL_POINT_VARIABLE, KILL_POINTS } from './kill-point.js';
import { placeKillPoint } from './place-kill-point.js';
import { watchMethod } from './watch-method.js';

const point = KILL_POINTS.find((name) => name === process.env[KILL_POINT_VARIABLE]);
if (point === undefined) throw new Error(`${KILL_POINT_VARIABLE} names no kill point`);
let left = Number(process.env[KILL_COUNT_VARIABLE]);

// Before it serves, a gateway settles what the one before it left; only requests of its own are to end it.
let serves = false;
watchMethod({ prototype: process.stdout }, 'write', { before: () => void (serves = true) });

placeKillPoint(point, () => {
  if (!serves) return;
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
});
