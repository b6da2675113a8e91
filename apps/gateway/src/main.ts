process.stdout.write("The gateway's routes are not built yet.\n");
