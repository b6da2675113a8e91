import { instant } from '@tollgate/core';
import { clockContract } from '@tollgate/testkit';
import { SteppedClock } from './stepped-clock.js';

clockContract('one that can be set', () => ({
  clock: new SteppedClock(instant(0)),
  pass: (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); }),
}));
