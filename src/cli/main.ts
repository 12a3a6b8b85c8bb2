#!/usr/bin/env node
// The program that a shell starts. The version is printed without loading anything else.
import { programVersion } from '../base/root.ts';

const [first, ...rest] = process.argv.slice(2);
const isVersion = rest.length === 0 && (first === '--version' || first === '-V');

if (isVersion) process.stdout.write(`${programVersion}\n`);
else await import('./process.ts');
