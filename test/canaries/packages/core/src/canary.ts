import { createHash } from 'node:crypto';
import Big from 'big.js';
import type { Request } from 'express';
import { z } from 'zod';
import * as wireKit from '@tollgate/wire-kit';
import missing from 'a-package-nobody-installed';
import * as identity from '@tollgate/identity';
