import * as core from '@tollgate/core';
import fc from 'fast-check';
import { expect } from '@jest/globals';
