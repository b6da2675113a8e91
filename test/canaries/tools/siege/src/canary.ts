import * as bench from '../../../../../tools/bench/src/main.js';
import * as chaos from '../../../../../tools/chaos/src/main.js';
import * as core from '@tollgate/core';
import * as kit from '@tollgate/kit';
