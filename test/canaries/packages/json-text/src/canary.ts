import { isUtf8 } from 'node:buffer';
import * as core from '@tollgate/core';
import * as wireKit from '@tollgate/wire-kit';
import { parse } from 'yaml';
