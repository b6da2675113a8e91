import { Socket } from 'node:net';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

const exit = process.exit.bind(process);
const { console } = globalThis;
/**
 * True in a worker, which jest has given a channel for messages. Without workers, jest's own process runs the tests, and writes to the console after
 * them.
 */
const isWorker = process.send !== undefined;

/** Runs tests in the worker's own global scope, which the modules shared by its test files use as well. */
export default class SharedEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  setup() {}

  /**
   * Fails a test file that leaves a socket open without a listener for errors: an error would end a later test of the same worker. A worker keeps the
   * console of its last test file, which reports what is logged after the end of that file.
   */
  teardown() {
    const unhandled = process['_getActiveHandles']().filter((handle) => handle instanceof Socket && !handle.destroyed && handle.listenerCount('error') === 0 && handle.localPort !== undefined);
    const ports = unhandled.map(({ localPort }) => localPort).join(', ');
    for (const socket of unhandled) socket.destroy();
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    process.exit = exit;
    if (!isWorker) globalThis.console = console;
    if (unhandled.length > 0) throw new Error(`The test file leaves sockets open that have no listener for errors (local ports ${ports}).`);
  }

  getVmContext() {
    return null;
  }
}
