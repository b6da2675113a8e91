export type { WatchedPage } from './driver/watched-page.js';
export { addResident, openWorld, passDays, PASSWORD, sendRequest, type World } from './world/open-world.js';
export { CheckContext, heading, runCheck, shown, visit } from './checks/check.js';
export { ownerPages } from './checks/pages.js';
export { subjectsOf } from './world/records.js';
export { checkNumbered, CHECKS } from './checks/checks.js';
