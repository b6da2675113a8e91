import * as core from '@tollgate/core';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import * as node from '@tollgate/adapters-node';
import pino from 'pino';
