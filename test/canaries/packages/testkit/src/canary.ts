import * as core from '@tollgate/core';
import { createServer } from 'node:http';
import fc from 'fast-check';
import { expect } from '@jest/globals';
import * as memory from '@tollgate/adapters-memory';
import * as cli from '@tollgate/cli';
