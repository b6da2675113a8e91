export { findChromium, launchChromium, type Notices, openPage, signIn, type WatchedPage } from './driver/watched-page.js';
export { MovableClock } from './world/movable-clock.js';
export { addResident, openWorld, PASSWORD, passDays, sendRequest, type Resident, type ResidentOptions, type World } from './world/open-world.js';
export { type Check, CheckContext, type CheckResult, heading, runCheck, shown } from './checks/check.js';
export { ownerPages } from './checks/pages.js';
export { visit } from './checks/whole-run.js';
export { subjectsOf } from './world/records.js';
export { checkNumbered, CHECKS } from './checks/checks.js';
