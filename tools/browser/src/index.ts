export type { WatchedPage } from './driver/watched-page.js';
export { addResident, openWorld, passDays, PASSWORD, sendRequest, type World } from './world/open-world.js';
export { CheckContext, heading, ownerPages, runCheck, shown, visit } from './checks/check.js';
export { subjectsOf } from './world/fixtures.js';
export { checkNumbered, CHECKS } from './checks/checks.js';
