import { beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { MIN_BYTES_PER_SECOND, UploadPace } from './upload-pace.js';

let clock: ManualClock;
let pace: UploadPace;
let tooSlow: boolean;

beforeEach(() => {
  clock = new ManualClock();
  tooSlow = false;
  pace = new UploadPace(clock, () => {
    tooSlow = true;
  });
});

/** True if an upload at this rate is cut off within a minute. */
function isCutOffAt(bytesPerSecond: number): boolean {
  for (let second = 0; second < 60; second += 1) {
    clock.advance(1000);
    if (tooSlow) return true;
    pace.brought(bytesPerSecond);
  }
  return false;
}

describe('an upload', () => {
  it('may be silent for its first five seconds', () => {
    clock.advance(4999);
    expect(tooSlow).toBe(false);
    clock.advance(1);
    expect(tooSlow).toBe(true);
  });

  it.each([[MIN_BYTES_PER_SECOND, false], [MIN_BYTES_PER_SECOND * 0.8, true], [1, true], [10 * MIN_BYTES_PER_SECOND, false]])('at %i bytes a second is cut off: %s', (rate, expected) => {
    expect(isCutOffAt(rate)).toBe(expected);
  });

  it('in tiny chunks is not cut off if it is fast enough in total', () => {
    for (let chunk = 0; chunk < 10_000; chunk += 1) {
      clock.advance(1);
      pace.brought(10);
      pace.brought(10);
    }
    expect(tooSlow).toBe(false);
  });

  it('that stalls is cut off five seconds after its last bytes, however many came before', () => {
    clock.advance(1000);
    pace.brought(2_000_000);
    clock.advance(4999);
    expect(tooSlow).toBe(false);
    clock.advance(1);
    expect(tooSlow).toBe(true);
  });

  it('is no longer watched once it has ended', () => {
    clock.advance(3000);
    pace.brought(20_000);
    clock.advance(3000);
    pace.stop();
    expect(clock.pendingTasks).toBe(0);
  });
});
