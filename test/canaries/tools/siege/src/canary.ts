import * as bench from '@tollgate/bench';
import * as core from '@tollgate/core';
