#!/usr/bin/env node
const { join } = require('node:path')
const { keepCompiled } = require('./compile-cache.js')

const entry = join(__dirname, '../dist/main.cjs')
keepCompiled(entry)
require(entry).main(process)
