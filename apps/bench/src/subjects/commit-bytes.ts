/** About what a commit of one request writes. */
export const COMMIT_BYTES = 48 * 1024;
