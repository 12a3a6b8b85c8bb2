#!/usr/bin/env node
// The program that a shell starts. The version is printed without loading anything else.
import './stopping.ts'; // before anything else: what follows takes a moment to load
import { programVersion } from '../base/root.ts';
import { collectOften } from './memory.ts';

const [first = '', ...rest] = process.argv.slice(2);
const isVersion = rest.length === 0 && (first === '--version' || first === '-V');

/** They end when the processor has done its work, and have memory of their own. */
const isNight = ['nightly', 'worker'].includes(first);

if (!isNight) collectOften();

if (isVersion) process.stdout.write(`${programVersion}\n`);
else await import('./process.ts');
