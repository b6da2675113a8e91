export { findChromium, launchChromium } from './driver/chromium.js';
export { openPage, signIn, type Notices, type WatchedPage } from './driver/watched-page.js';
export { MovableClock } from './world/movable-clock.js';
export { addResident, openWorld, PASSWORD, passDays, sendRequest, type Resident, type ResidentOptions, type World } from './world/open-world.js';
export type { Check } from './checks/check.js';
export { CheckContext } from './checks/check-context.js';
export { checkNumbered, CHECKS } from './checks/checks.js';
export { runCheck, type CheckResult } from './checks/run-checks.js';
