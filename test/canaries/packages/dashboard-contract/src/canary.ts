import * as core from '@tollgate/core';
export { z } from 'zod';
export * from 'node:http';
export { core };
