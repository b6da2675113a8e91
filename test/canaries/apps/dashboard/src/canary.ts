import type { RouteDefinition } from '@tollgate/api-contract';
import { contract } from '@tollgate/api-contract';
import * as core from '@tollgate/core';
export { z } from 'zod';
export { QueryClient } from '@tanstack/react-query';
export { contract, core, type RouteDefinition };
