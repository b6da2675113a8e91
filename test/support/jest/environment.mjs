import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

const exit = process.exit.bind(process);
const { console } = globalThis;
/** jest starts workers with a channel for messages; without one, its own process runs the tests, which goes on to log. */
const isWorker = process.send !== undefined;

/** Runs tests in the global scope of the worker, where the modules are that its test files share. */
export default class SharedEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  setup() {}

  /** A worker keeps the console of the last test file, which reports what is logged after its end. */
  teardown() {
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    process.exit = exit;
    if (!isWorker) globalThis.console = console;
  }

  getVmContext() {
    return null;
  }
}
