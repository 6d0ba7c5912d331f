"""What commands return: values with their JSON, their tables and their pictures."""
